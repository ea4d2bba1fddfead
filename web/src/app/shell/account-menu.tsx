/** The account menu at the bottom of the rail. */
import { useRouter } from '@tanstack/react-router'
import { ChevronsUpDown, CircleHelp, Keyboard, LogOut, Settings } from 'lucide-react'
import { useViewer } from '#data/viewer.ts'
import { chooseTheme, useTheme } from '#lib/browser/theme.ts'
import { cx } from '#ui/class-names.ts'
import { Menu, MenuChoices, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { Avatar } from '#ui/values/avatar.tsx'
import { themes } from '../theme-button.tsx'
import { useSignOut } from './use-sign-out.ts'

export function AccountMenu({ isNarrow, onKeys }: { isNarrow: boolean; onKeys: () => void }) {
  const { name, email } = useViewer()
  const router = useRouter()
  const signOut = useSignOut()
  const wide = cx('max-roomy:hidden', isNarrow && 'hidden')
  const trigger = (
    <button
      type="button"
      className="flex w-full items-center gap-2.5 rounded-control p-1.5 text-left transition-colors duration-150 hover:bg-sunken"
    >
      <span className="sr-only">Account menu</span>
      <Avatar name={name} />
      <span className={cx('min-w-0 flex-1', wide)}>
        <span className="block truncate font-medium text-sm">{name}</span>
        <span className="block truncate text-faint text-xs">{email}</span>
      </span>
      <ChevronsUpDown aria-hidden className={cx('size-4 text-faint', wide)} />
    </button>
  )
  return (
    <Menu side="top" align="start" trigger={trigger}>
      <MenuItem icon={Settings} onSelect={() => void router.navigate({ to: '/account' })}>
        Account settings
      </MenuItem>
      <MenuItem icon={Keyboard} onSelect={onKeys}>
        Keyboard shortcuts
      </MenuItem>
      <MenuItem icon={CircleHelp} onSelect={() => window.open('/help/', '_blank', 'noopener')}>
        Help
      </MenuItem>
      <MenuLine />
      <ThemeChoices />
      <MenuLine />
      <MenuItem icon={LogOut} onSelect={signOut}>
        Sign out
      </MenuItem>
    </Menu>
  )
}

function ThemeChoices() {
  return <MenuChoices label="Theme" value={useTheme()} options={themes} onChange={chooseTheme} />
}
