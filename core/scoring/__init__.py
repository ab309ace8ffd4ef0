"""Reading options from answers, and deciding right and wrong."""
