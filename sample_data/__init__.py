"""The bundled, invented sample."""
