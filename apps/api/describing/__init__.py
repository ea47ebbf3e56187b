"""What makes the OpenAPI document complete: tags, problem codes, headers, examples."""
