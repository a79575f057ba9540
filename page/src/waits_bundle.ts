// In pages that have waits only: what the viewer shows of them.
import type { View } from "./view";
import { Sites, Tabs, Timeline } from "./waits";

declare global {
  var waitsViews: (new () => View)[] | undefined;
}

globalThis.waitsViews = [Tabs, Timeline, Sites];
