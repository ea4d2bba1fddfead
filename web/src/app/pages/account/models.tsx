/** Models created by the viewer. The open one is in the URL. */
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { usePerson } from '#data/viewer.ts'
import { ModelDialog } from '#features/models/model-dialog.tsx'
import { OwnModelsPanel } from '#features/models/own-models-panel.tsx'
import { GrantsEditor } from '#features/principals/grants-editor.tsx'
import type { GrantsField } from '#lib/form/grants-field.ts'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/account/models')

/** Someone without an organization has no one to share with, so the field is hidden. */
const aloneField: GrantsField = () => null
const sharedField: GrantsField = (field) => (
  <GrantsEditor circle="organization" canOpenToAll={false} nobody="Only you, until you add someone." {...field} />
)

export function OwnModelsPage() {
  const { organizationId } = usePerson()
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const show = useCallback((id: string) => void navigate({ search: { open: id } }), [navigate])
  useShortcuts(useMemo(() => [{ keys: 'n', label: 'New model', run: () => show('new') }], [show]))
  return (
    <>
      <PageTitle>My models</PageTitle>
      <OwnModelsPanel onOpen={show} />
      <ModelDialog
        open={open}
        grantsField={organizationId === null ? aloneField : sharedField}
        onClose={() => void navigate({ search: {}, replace: true })}
      />
    </>
  )
}
