/** All models of the instance. */
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { ModelDefaultsPanel } from '#features/model-defaults/model-defaults-panel.tsx'
import { ModelDialog } from '#features/models/model-dialog.tsx'
import { ModelsPanel } from '#features/models/models-panel.tsx'
import { GrantsEditor } from '#features/principals/grants-editor.tsx'
import type { GrantsField } from '#lib/form/grants-field.ts'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { Button } from '#ui/button/button.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/platform/models')

const grantsField: GrantsField = (field) => (
  <GrantsEditor circle="platform" canOpenToAll nobody="Only platform admins, until you add someone." {...field} />
)

export function ModelsPage() {
  const { open, search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const show = useCallback(
    (id: string) => void navigate({ search: (current) => ({ ...current, open: id }) }),
    [navigate],
  )
  const onSearch = useCallback(
    (text: string) => void navigate({ search: text === '' ? {} : { search: text }, replace: true }),
    [navigate],
  )
  const close = () => void navigate({ search: ({ open: _, ...rest }) => rest, replace: true })
  useShortcuts(useMemo(() => [{ keys: 'n', label: 'New model', run: () => show('new') }], [show]))
  const actions = (
    <div className="flex flex-wrap gap-2 max-sm:w-full">
      <SearchInput label="Search models" value={search} onSearch={onSearch} />
      <Button look="primary" icon={Plus} onClick={() => show('new')}>
        New model
      </Button>
    </div>
  )
  return (
    <>
      <PageTitle>Models</PageTitle>
      <ModelsPanel search={search} action={actions} onOpen={show} />
      <ModelDefaultsPanel scope="platform" hint="For everyone. Organizations and people can choose others." />
      <ModelDialog open={open} grantsField={grantsField} onClose={close} />
    </>
  )
}
