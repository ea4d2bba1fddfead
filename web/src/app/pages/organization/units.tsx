/** Groups and departments share one page. The open one is in the URL. */
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useOrganization } from '#features/organization/api.ts'
import { isReadOnly } from '#features/organization/trial.ts'
import type { UnitKind } from '#features/units/api.ts'
import { UnitDialog } from '#features/units/unit-dialog.tsx'
import { unitText } from '#features/units/unit-labels.ts'
import { UnitsPanel } from '#features/units/units-panel.tsx'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { PageTitle } from '#ui/page/page-title.tsx'

const groups = getRouteApi('/shell/organization/groups')
const departments = getRouteApi('/shell/organization/departments')

export const GroupsPage = () => (
  <UnitsPage kind="group" open={groups.useSearch().open} navigate={groups.useNavigate()} />
)
export const DepartmentsPage = () => (
  <UnitsPage kind="department" open={departments.useSearch().open} navigate={departments.useNavigate()} />
)

interface UnitsPageProps {
  kind: UnitKind
  open: string | undefined
  navigate: (to: { search: { open?: string }; replace?: boolean }) => Promise<void>
}

function UnitsPage({ kind, open, navigate }: UnitsPageProps) {
  const { data: organization } = useOrganization()
  const canChange = organization !== undefined && !isReadOnly(organization)
  const show = useCallback((id: string) => void navigate({ search: { open: id } }), [navigate])
  const onNew = useCallback(() => show('new'), [show])
  useShortcuts(
    useMemo(() => (canChange ? [{ keys: 'n', label: `New ${kind}`, run: onNew }] : []), [canChange, kind, onNew]),
  )
  return (
    <>
      <PageTitle>{unitText[kind].title}</PageTitle>
      <UnitsPanel kind={kind} onEdit={show} {...(canChange && { onNew })} />
      <UnitDialog kind={kind} open={open} onClose={() => void navigate({ search: {}, replace: true })} />
    </>
  )
}
