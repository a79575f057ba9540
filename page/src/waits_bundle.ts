// In pages that have waits only: what the viewer shows of them.
import type { View } from "./view";
import { Sites, Timeline } from "./waits";

declare global {
  var waitsViews: (new () => View)[] | undefined;
}

globalThis.waitsViews = [Timeline, Sites];
