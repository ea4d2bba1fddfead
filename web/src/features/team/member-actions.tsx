/** The actions for one member. */
import type { Member } from '@chancery/contract/team.ts'
import { Ellipsis, ShieldCheck, ShieldMinus, UserRoundCheck, UserRoundX } from 'lucide-react'
import { IconButton } from '#ui/button/button.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { Badge } from '#ui/values/badge.tsx'
import type { MemberChange } from './api.ts'

interface MemberActionsProps {
  member: Member
  isSelf: boolean
  onChange: (member: Member, change: MemberChange) => void
}

export function MemberActions({ member, isSelf, onChange }: MemberActionsProps) {
  const isActive = member.status === 'ACTIVE'
  const pick = (change: MemberChange) => () => onChange(member, change)
  return (
    <span className="relative flex items-center justify-end gap-2 text-left">
      {isSelf && <Badge>You</Badge>}
      <Menu trigger={<IconButton label={`Actions for ${member.email}`} icon={Ellipsis} />}>
        {member.role === 'ROLE_USER' ? (
          <MenuItem icon={ShieldCheck} onSelect={pick('promote')}>
            Make admin
          </MenuItem>
        ) : (
          <MenuItem icon={ShieldMinus} onSelect={pick('demote')}>
            Remove admin role
          </MenuItem>
        )}
        <MenuLine />
        {isActive ? (
          <MenuItem icon={UserRoundX} tone="bad" onSelect={pick('deactivate')}>
            Deactivate
          </MenuItem>
        ) : (
          <MenuItem icon={UserRoundCheck} onSelect={pick('reactivate')}>
            Reactivate
          </MenuItem>
        )}
      </Menu>
    </span>
  )
}
