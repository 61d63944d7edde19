// A click or a form does some work, and what that changes is asked for again once it is done.

import { useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query";
import { showToast } from "./toasts.tsx";

type Ends<Answer> = {
  /** Cached answers below this name are asked for again. */
  renews?: QueryKey;
  /** Called before that, so that a page that is left asks for nothing more. */
  onDone?: (answer: Answer) => void;
  /** Called once they have come, so that what is shown next is up to date. */
  onRenewed?: (answer: Answer) => void;
};

type Work<Answer, Input> = (input: Input) => Promise<Answer>;

/** A failure is told in a toast. */
export const useAction = <Answer, Input = void>(work: Work<Answer, Input>, ends: Ends<Answer> = {}) =>
  useWork(work, ends, (error) => showToast(error.message, "bad"));

/** A form shows its own failures. */
export const useFormAction = <Answer, Input = void>(work: Work<Answer, Input>, ends: Ends<Answer> = {}) =>
  useWork(work, ends, () => {});

function useWork<Answer, Input>(
  work: Work<Answer, Input>,
  { renews, onDone, onRenewed }: Ends<Answer>,
  onError: (error: Error) => void,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSuccess: async (answer) => {
      onDone?.(answer);
      if (renews) await cache.invalidateQueries({ queryKey: renews });
      onRenewed?.(answer);
    },
    onError,
  });
}
