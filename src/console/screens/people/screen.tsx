// People: the members of the team, and what each may and holds.

import { listScreen } from "../../ui/layout/list-screen.tsx";
import { MemberList } from "./member-list.tsx";
import { MemberPage } from "./member/member-page.tsx";

export default listScreen("/people", MemberList, MemberPage);
