/** Members and invitations. The invite dialog has its own URL, so the palette and links can open it. */
import type { Invitation } from '@chancery/contract/organizations/team.ts'
import { getRouteApi } from '@tanstack/react-router'
import { UserPlus } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { usePerson } from '#data/viewer.ts'
import { useOrganization } from '#features/organization/api.ts'
import { isReadOnly } from '#features/organization/trial.ts'
import type { FactorFilter } from '#features/team/api.ts'
import { InvitationLinkDialog } from '#features/team/invitation-link-dialog.tsx'
import { InvitationsPanel } from '#features/team/invitations-panel.tsx'
import { InviteDialog } from '#features/team/invite-dialog.tsx'
import { MembersPanel } from '#features/team/members-panel.tsx'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { Button } from '#ui/button/button.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { useListSearch } from '../../use-list-search.ts'

const route = getRouteApi('/shell/organization/members')

export function MembersPage() {
  const { id } = usePerson()
  const { data: organization } = useOrganization()
  const { invite, ...query } = route.useSearch()
  const navigate = route.useNavigate()
  const canInvite = organization !== undefined && !isReadOnly(organization)
  const [undelivered, setUndelivered] = useState<Invitation>()
  const open = useCallback(() => void navigate({ search: { invite: true } }), [navigate])
  const { onSearch, onPage, onSort } = useListSearch(navigate)
  const onFactors = (factors: FactorFilter | undefined) =>
    void navigate({
      search: ({ page: _, factors: __, ...rest }) => (factors === undefined ? rest : { ...rest, factors }),
      replace: true,
    })
  useShortcuts(useMemo(() => (canInvite ? [{ keys: 'n', label: 'Invite people', run: open }] : []), [canInvite, open]))
  return (
    <>
      <PageTitle>Members</PageTitle>
      <MembersPanel
        ownId={id}
        action={canInvite && <InviteButton onClick={open} />}
        query={query}
        onSearch={onSearch}
        onPage={onPage}
        onSort={onSort}
        onFactors={onFactors}
      />
      <InvitationsPanel />
      <InviteDialog
        isOpen={canInvite && invite === true}
        onUndelivered={setUndelivered}
        onClose={() => void navigate({ search: {}, replace: true })}
      />
      {undelivered && <InvitationLinkDialog invitation={undelivered} onClose={() => setUndelivered(undefined)} />}
    </>
  )
}

const InviteButton = ({ onClick }: { onClick: () => void }) => (
  <Button look="primary" icon={UserPlus} className="max-sm:w-full" onClick={onClick}>
    Invite people
  </Button>
)
