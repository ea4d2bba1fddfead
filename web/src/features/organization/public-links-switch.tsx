/** Lets members open shared chats to anybody with the link. */
import type { Organization } from '@chancery/contract/organizations/organizations.ts'
import { useMutation } from '@tanstack/react-query'
import { toast } from '#ui/feedback/toast.ts'
import { Switch } from '#ui/form/choices.tsx'
import { useSaveOrganization } from './api.ts'

export function PublicLinksSwitch({ organization: { publicChatLinks } }: { organization: Organization }) {
  const save = useSaveOrganization()
  const change = useMutation({
    mutationFn: (isOn: boolean) => save({ publicChatLinks: isOn }),
    onSuccess: (_, isOn) =>
      toast.done(isOn ? 'Public links are on' : 'Public links are off. Existing ones are closed.'),
    onError: toast.failed,
  })
  return (
    <Switch
      label="Allow public links to chats"
      help="Members can create a link that anyone can open without signing in. When you turn this off, existing links stop working until you turn it on again."
      isOn={publicChatLinks}
      isPending={change.isPending}
      onChange={(isOn) => change.mutate(isOn)}
    />
  )
}
