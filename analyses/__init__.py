"""One module per question a researcher asks: records in, a frame of figures out."""
