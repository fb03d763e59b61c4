"""What makes the documentation: references, pictures, notebooks, and pages from files elsewhere."""
