/** The viewer's profile. Platform admins can't change their name or email here: admins are managed in the console. */

import { useViewer, type Viewer } from '#data/viewer.ts'
import { ProfileForm } from '#features/account/profile-form.tsx'
import { VerifyEmailNote } from '#features/account/verify-email-note.tsx'
import { roleNames } from '#lib/text/role-names.ts'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { Facts, Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Avatar } from '#ui/values/avatar.tsx'
import { Time } from '#ui/values/time.tsx'

export function ProfilePage() {
  const viewer = useViewer()
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1fr_20rem]">
      <PageTitle>Account</PageTitle>
      {viewer.kind === 'person' && (
        <Panel title="Profile">
          <ProfileForm />
          <VerifyEmailNote />
        </Panel>
      )}
      <Identity viewer={viewer} />
    </div>
  )
}

function Identity({ viewer }: { viewer: Viewer }) {
  const id = (
    <span className="flex items-center justify-end gap-1 font-mono text-xs">
      <span className="truncate">{viewer.id.slice(0, 13)}…</span>
      <CopyButton text={viewer.id} label="Copy account ID" />
    </span>
  )
  return (
    <Panel title="Details">
      <div className="mb-4 flex items-center gap-3">
        <Avatar name={viewer.name} className="size-12 text-md" />
        <div className="min-w-0">
          <p className="truncate font-serif text-lg">{viewer.name}</p>
          <p className="truncate text-faint text-sm">{viewer.email}</p>
        </div>
      </div>
      <Facts
        items={[
          { term: 'Role', value: roleNames[viewer.role] },
          { term: 'Member since', value: <Time at={viewer.createdAt} /> },
          { term: 'Account ID', value: id },
        ]}
      />
    </Panel>
  )
}
