"""The reader of EverMemBench releases: group chats over many days."""
