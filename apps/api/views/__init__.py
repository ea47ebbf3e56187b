"""The resources, one module each: parse, make one call, answer."""
