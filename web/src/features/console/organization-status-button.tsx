/** Deactivates or reactivates an organization. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { useEditOrganization } from './api.ts'
import type { Detail } from './organization-patch.ts'

export function OrganizationStatusButton({
  organization: { id, name, active, memberCount },
}: {
  organization: Detail
}) {
  const edit = useEditOrganization(id)
  const [isAsking, setAsking] = useState(false)
  const change = useMutation({
    mutationFn: (isActive: boolean) => edit({ active: isActive }),
    onSuccess: (_, isActive) => toast.done(`${name} ${isActive ? 'reactivated' : 'deactivated'}`),
    onError: toast.failed,
    onSettled: () => setAsking(false),
  })
  return (
    <>
      <Button
        className="mt-5 w-full"
        isPending={change.isPending && !isAsking}
        onClick={() => (active ? setAsking(true) : change.mutate(true))}
      >
        {active ? 'Deactivate organization' : 'Reactivate organization'}
      </Button>
      <Confirm
        title={`Deactivate ${name}?`}
        loss={`All ${memberCount} members are signed out immediately and can’t sign in or use API keys until you reactivate the organization. Nothing is deleted.`}
        action="Deactivate"
        isOpen={isAsking}
        isPending={change.isPending}
        onConfirm={() => change.mutate(false)}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
