// Saved queries: the list of the team's, and one of them with its versions and uses.

import { listScreen } from "../../ui/layout/list-screen.tsx";
import { QueryList } from "./query-list.tsx";
import { QueryPage } from "./query-page.tsx";

export default listScreen("/queries", QueryList, QueryPage);
