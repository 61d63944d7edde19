// Data roles: which rows and columns their members read, and who the members are.

import { listScreen } from "../../ui/layout/list-screen.tsx";
import { RoleList } from "./role-list.tsx";
import { RolePage } from "./role-page.tsx";

export default listScreen("/roles", RoleList, RolePage);
