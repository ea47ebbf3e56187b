// Starts Swagger UI on the documentation page, with the token that the address may carry.
"use strict";

const page = document.getElementById("swagger-ui").dataset;
// Read first: Swagger UI takes what stands behind the # for the name of an operation.
const token = takeToken();
const ui = SwaggerUIBundle({
  url: page.schema,
  dom_id: "#swagger-ui",
  deepLinking: true,
  filter: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
  requestInterceptor: prepared,
  onComplete: () => {
    // "token" is the name of the security scheme in the document.
    if (token) ui.preauthorizeApiKey("token", token);
  },
});

// No server sees what stands behind the #; the page with the map keeps its token in the same place.
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem("token");
}

function prepared(request) {
  // Swagger UI fills in the example of the key, which would make every request a repeat of the first.
  if (request.headers["Idempotency-Key"] === page.exampleKey) delete request.headers["Idempotency-Key"];
  // Without a token the session of the admin's login counts, which needs this header to write.
  const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  if (cookie && !request.headers.Authorization && !["GET", "HEAD"].includes(request.method ?? "GET")) {
    request.headers["X-CSRFToken"] = cookie[1];
  }
  return request;
}
