/** Lets members have a browser go without the second step for a while. */
import type { Organization } from '@chancery/contract/organizations/organizations.ts'
import { useMutation } from '@tanstack/react-query'
import { toast } from '#ui/feedback/toast.ts'
import { Switch } from '#ui/form/choices.tsx'
import { useSaveOrganization } from './api.ts'

export function RememberSwitch({ organization: { remembersBrowsers } }: { organization: Organization }) {
  const save = useSaveOrganization()
  const change = useMutation({
    mutationFn: (isOn: boolean) => save({ remembersBrowsers: isOn }),
    onSuccess: (_, isOn) => toast.done(isOn ? 'Browsers may be remembered' : 'Every sign-in asks again'),
    onError: toast.failed,
  })
  return (
    <Switch
      label="Remember browsers"
      help="At the second step, members can choose that their browser isn’t asked for 30 days."
      isOn={change.isPending ? change.variables : remembersBrowsers}
      isPending={change.isPending}
      onChange={(isOn) => change.mutate(isOn)}
    />
  )
}
