// Published endpoints: which there are, how they are called, how fast they answer, and who holds a key.

import { listScreen } from "../../ui/layout/list-screen.tsx";
import { EndpointList } from "./endpoint-list.tsx";
import { EndpointPage } from "./endpoint-page.tsx";

export default listScreen("/endpoints", EndpointList, EndpointPage);
