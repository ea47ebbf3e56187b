"""Programs beside the service: stories, reference pages, catalogues, rehearsals of worlds."""
