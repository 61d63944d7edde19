// A webhook's secret is changed for another one, which its maker is shown once.

import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";

type ChangeSecretProps = { size?: "xs" | "sm"; isBusy: boolean; onConfirm: () => void };

export const ChangeSecret = ({ size = "xs", isBusy, onConfirm }: ChangeSecretProps) => (
  <ConfirmButton
    question="Both secrets sign for a day."
    verb="Make another"
    size={size}
    isBusy={isBusy}
    onConfirm={onConfirm}
  >
    Change the secret
  </ConfirmButton>
);
