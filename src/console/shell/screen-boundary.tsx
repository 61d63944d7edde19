// A screen that breaks leaves the shell standing, says so, and can be drawn anew. A screen whose code is gone, because
// a newer console was deployed since the page was loaded, asks for a reload.

import { Component, type ReactNode } from "react";
import { Button } from "../ui/controls.ts";
import { EmptyState } from "../ui/feedback/states.tsx";
import { Page } from "../ui/layout/page.tsx";

type State = { error: Error | undefined };

const isOutdated = (error: Error): boolean => /dynamically imported module|module script/i.test(error.message);

export class ScreenBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (isOutdated(error))
      return (
        <Page title="A newer console is there">
          <EmptyState
            title="This page was loaded before the last deployment"
            action={<Button onClick={() => location.reload()}>Reload</Button>}
          >
            Your drafts are kept.
          </EmptyState>
        </Page>
      );
    return (
      <Page title="This screen broke">
        <EmptyState
          title="Something in the console itself went wrong"
          action={<Button onClick={() => this.setState({ error: undefined })}>Draw it again</Button>}
        >
          {error.message}
        </EmptyState>
      </Page>
    );
  }
}
