"""The reader of MemoryBank (SiliconFriend) releases."""
