"""Reader of inspect_ai logs of any benchmark."""
