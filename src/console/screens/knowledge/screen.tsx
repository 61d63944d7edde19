// Knowledge: the glossary and the verified queries that agents are given, and one term with its versions.

import { listScreen } from "../../ui/layout/list-screen.tsx";
import { KnowledgePage } from "./knowledge-page.tsx";
import { TermPage } from "./term-page.tsx";

export default listScreen("/knowledge", KnowledgePage, TermPage);
