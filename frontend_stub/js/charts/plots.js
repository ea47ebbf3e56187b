/** The plots that the service draws: images as of the moment shown, to keep and to print. */

import { fill, h } from "../ui/dom.js";

let current = "activity";

export function showPlots(place, app) {
  return fill(place, async () => {
    const plots = (await app.api.client.list(`${app.api.path}/plots`)).filter((plot) => !plot.needs_news);
    const image = h("div");
    const selector = h("select", {
      "aria-label": "Plot", onchange: () => {
        current = selector.value;
        fill(image, () => drawing(app, plots.find((plot) => plot.name === current)));
      },
    }, ...plots.map((plot) => h("option", { value: plot.name, selected: plot.name === current }, plot.title)));
    selector.dispatchEvent(new Event("change"));
    return [h("p.row", {}, selector), image];
  });
}

async function drawing(app, plot) {
  const at = app.api.at ?? app.status.clock.tick;
  const response = await app.api.client.request(`${app.api.path}/plots/${plot.name}.svg?at=${at}`);
  const address = `data:image/svg+xml,${encodeURIComponent(await response.text())}`;
  return [
    h("p.quiet.small", {}, plot.description),
    h("img.plot", { src: address, alt: `${plot.title}: ${plot.description}` }),
    h("p", {}, h("a", { href: address, download: `${plot.name}.svg` }, "Keep this picture")),
  ];
}
