/** Closes an organization, or opens it again. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Confirm } from '#ui/dialog.tsx'
import { toast } from '#ui/toast.tsx'
import { useEditOrganization } from './api.ts'
import type { Detail } from './organization-patch.ts'

export function StandingButton({ organization: { id, name, active, memberCount } }: { organization: Detail }) {
  const edit = useEditOrganization(id)
  const [isAsking, setAsking] = useState(false)
  const change = useMutation({
    mutationFn: (isActive: boolean) => edit({ active: isActive }),
    onSuccess: (_, isActive) => toast.done(`${name} is ${isActive ? 'active again' : 'deactivated'}.`),
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
        loss={`All ${memberCount} of its people are signed out at once, and their logins and keys are refused until you reactivate it. Nothing is deleted.`}
        action="Deactivate"
        isOpen={isAsking}
        isPending={change.isPending}
        onConfirm={() => change.mutate(false)}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
