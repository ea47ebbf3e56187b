"""The OpenAPI document: common responses, errors, headers, links and examples."""
