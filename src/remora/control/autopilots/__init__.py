"""Controllers of whole vehicles: from references and estimates to a wrench or commands."""
