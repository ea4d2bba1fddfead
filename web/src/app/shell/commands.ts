/** Everything one can do from anywhere. The palette lists it; what has keys also works without the palette. */
import { useRouter } from '@tanstack/react-router'
import {
  Keyboard,
  KeyRound,
  LogOut,
  type LucideIcon,
  MonitorSmartphone,
  Plus,
  Settings,
  ShieldCheck,
} from 'lucide-react'
import { useMemo } from 'react'
import { chooseTheme } from '#lib/theme.ts'
import { useViewer, type Viewer } from '#lib/viewer.ts'
import { themes } from '../theme-button.tsx'
import { areas } from './areas.ts'
import { homeOf, officesOf } from './places.ts'
import { useSignOut } from './use-sign-out.ts'

export interface Command {
  group: 'Go to' | 'Create' | 'Account' | 'Theme' | 'Help'
  label: string
  icon: LucideIcon
  keys?: string
  /** Other words one might type for it. */
  also?: string
  run: () => void
}

type Go = (to: string) => void

export function useCommands(showKeys: () => void): Command[] {
  const viewer = useViewer()
  const router = useRouter()
  const signOut = useSignOut()
  return useMemo(() => {
    const go: Go = (to) => router.history.push(to)
    return [
      ...placeCommands(viewer, go),
      ...createCommands(viewer, go),
      ...accountCommands(viewer, go),
      { group: 'Account', label: 'Sign out', icon: LogOut, also: 'log out leave', run: signOut },
      ...themeCommands,
      { group: 'Help', label: 'Keyboard shortcuts', icon: Keyboard, keys: '?', also: 'keys help', run: showKeys },
    ]
  }, [viewer, router, signOut, showKeys])
}

function placeCommands(viewer: Viewer, go: Go): Command[] {
  const home = homeOf(viewer)
  const places = [...(home ? [home] : []), ...areas, ...officesOf(viewer)]
  const commands = places.map(
    ({ to, label, goKey, icon }): Command => ({
      group: 'Go to',
      label,
      icon,
      keys: `g ${goKey}`,
      run: () => go(to),
    }),
  )
  if (viewer.kind === 'person') return commands
  const lists = ['Users', 'Organizations', 'Admins', 'Audit', 'Mail'].map(
    (label): Command => ({
      group: 'Go to',
      label: `Platform: ${label.toLowerCase()}`,
      icon: ShieldCheck,
      run: () => go(`/platform/${label.toLowerCase()}`),
    }),
  )
  return [...commands, ...lists]
}

const createCommands = (viewer: Viewer, go: Go): Command[] =>
  viewer.kind === 'person'
    ? [
        {
          group: 'Create',
          label: 'New API key',
          icon: Plus,
          also: 'token secret',
          run: () => go('/account/api-keys?new=1'),
        },
      ]
    : [{ group: 'Create', label: 'New platform admin', icon: Plus, run: () => go('/platform/admins?new=1') }]

function accountCommands(viewer: Viewer, go: Go): Command[] {
  const settings: Command = {
    group: 'Account',
    label: 'Account settings',
    icon: Settings,
    keys: 'g a',
    also: 'profile name',
    run: () => go('/account'),
  }
  if (viewer.kind === 'admin') return [settings]
  return [
    settings,
    {
      group: 'Account',
      label: 'Password and login code',
      icon: ShieldCheck,
      also: 'security otp',
      run: () => go('/account/security'),
    },
    {
      group: 'Account',
      label: 'Sessions',
      icon: MonitorSmartphone,
      also: 'devices revoke',
      run: () => go('/account/sessions'),
    },
    { group: 'Account', label: 'API keys', icon: KeyRound, also: 'tokens', run: () => go('/account/api-keys') },
  ]
}

const themeCommands: Command[] = themes.map(({ value, label, icon }) => ({
  group: 'Theme',
  label: `Theme: ${label.toLowerCase()}`,
  icon,
  also: 'appearance mode',
  run: () => chooseTheme(value),
}))
