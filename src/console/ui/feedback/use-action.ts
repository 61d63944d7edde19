// A click does some work: what it changes is asked for again once it is done, and its failure is told in a toast.

import { useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query";
import { showToast } from "./toasts.tsx";

type Ends<Answer> = {
  /** Cached answers below this name are asked for again. */
  renews?: QueryKey;
  /** Called before that, so that a page that is left asks for nothing more. */
  onDone?: (answer: Answer) => void;
};

/** A form that shows its own failures is a mutation instead. */
export function useAction<Answer, Input = void>(
  work: (input: Input) => Promise<Answer>,
  { renews, onDone }: Ends<Answer>,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSuccess: async (answer) => {
      onDone?.(answer);
      if (renews) await cache.invalidateQueries({ queryKey: renews });
    },
    onError: (error) => showToast(error.message, "bad"),
  });
}
