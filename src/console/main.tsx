// The console's entry point: mounts the application into the page that the Worker answers under /app.

import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

createRoot(document.getElementById("root")!).render(<App />);
