/** The details and charts of the side panel, which are loaded after what the first picture needs. */

export { showActivity } from "./charts/activity.js";
export { showCosts } from "./charts/costs.js";
export { showGraph } from "./charts/graph.js";
export { showNews } from "./charts/news.js";
export { showPlots } from "./charts/plots.js";
export { openAsk } from "./panels/ask.js";
export { openMemories } from "./panels/memories.js";
export { openMind } from "./panels/mind.js";
export { openObject } from "./panels/object.js";
export { openPlan } from "./panels/plan.js";
export { openRelations } from "./panels/relations.js";
