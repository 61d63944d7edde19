// Shows the served document. The key typed under "Authorize" is kept in this browser, for this origin, until "Logout".

/** The box above the operations finds them by tag, path, summary or operation id, in any case of the letters. */
const search = () => ({
  fn: {
    opsFilter(taggedOperations, phrase) {
      const wanted = phrase.trim().toLowerCase();
      const isWanted = (text) =>
        String(text ?? "")
          .toLowerCase()
          .includes(wanted);
      const told = (operation) => [
        operation.get("path"),
        ...["summary", "operationId"].map((name) => operation.getIn(["operation", name])),
      ];
      return taggedOperations
        .map((tag, name) =>
          isWanted(name)
            ? tag
            : tag.update("operations", (all) => all.filter((operation) => told(operation).some(isWanted))),
        )
        .filter((tag) => tag.get("operations").size > 0);
    },
  },
});

globalThis.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#operations",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: true,
  plugins: [search],
  validatorUrl: null,
});
