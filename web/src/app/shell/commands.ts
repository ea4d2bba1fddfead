/** All global commands. The palette lists them; those with keys also work as shortcuts. */
import { can } from '@chancery/contract/abilities.ts'
import { useRouter } from '@tanstack/react-router'
import {
  Bot,
  Brain,
  ChartColumn,
  Keyboard,
  KeyRound,
  LogOut,
  type LucideIcon,
  MonitorSmartphone,
  Plus,
  Settings,
  ShieldCheck,
  UserPlus,
} from 'lucide-react'
import { useMemo } from 'react'
import { useViewer, type Viewer } from '#data/viewer.ts'
import { chooseTheme } from '#lib/browser/theme.ts'
import { themes } from '../theme-button.tsx'
import { areasOf } from './areas.ts'
import { homeOf, managementOf, subPagesOf } from './navigation.ts'
import { useSignOut } from './use-sign-out.ts'

export interface Command {
  group:
    | 'Selected rows'
    | 'Go to'
    | 'Create'
    | 'Chats'
    | 'Documents'
    | 'Workflows'
    | 'Knowledge'
    | 'People'
    | 'Account'
    | 'Theme'
    | 'Help'
  label: string
  /** For labels that may occur twice. */
  id?: string
  icon: LucideIcon
  keys?: string
  /** Other words people might type for it. */
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
      ...pageCommands(viewer, go),
      ...createCommands(viewer, go),
      ...accountCommands(viewer, go),
      { group: 'Account', label: 'Sign out', icon: LogOut, also: 'log out leave', run: signOut },
      ...themeCommands,
      { group: 'Help', label: 'Keyboard shortcuts', icon: Keyboard, keys: '?', also: 'keys help', run: showKeys },
    ]
  }, [viewer, router, signOut, showKeys])
}

function pageCommands(viewer: Viewer, go: Go): Command[] {
  const home = homeOf(viewer)
  const items = [...(home ? [home] : []), ...areasOf(viewer), ...managementOf(viewer)]
  const commands = items.map(
    ({ to, label, goKey, icon }): Command => ({
      group: 'Go to',
      label,
      icon,
      keys: `g ${goKey}`,
      run: () => go(to),
    }),
  )
  const subPages = subPagesOf(viewer).map(
    ({ to, label, goKey, icon }): Command => ({
      group: 'Go to',
      label,
      icon,
      run: () => go(to),
      ...(goKey && { keys: `g ${goKey}` }),
    }),
  )
  return [...commands, ...subPages]
}

function createCommands(viewer: Viewer, go: Go): Command[] {
  const make = (label: string, to: string, also?: string): Command => ({
    group: 'Create',
    label,
    icon: Plus,
    run: () => go(to),
    ...(also && { also }),
  })
  if (viewer.kind === 'admin') {
    return [
      make('New connection', '/platform/connections?open=new', 'provider runtime'),
      make('New model', '/platform/models?open=new', 'custom prompt'),
      make('New platform admin', '/platform/admins?new=1'),
    ]
  }
  const chat = make('New chat', '/chat', 'conversation ask model')
  const document = make('New document', '/documents', 'sign signature pdf contract upload')
  const workflow = make('New workflow', '/workflows?new=1', 'agent automation graph')
  const collection = make('New collection', '/knowledge?new=1', 'knowledge files upload')
  const key = make('New API key', '/account/api-keys?new=1', 'token secret')
  const model = make('New model', '/account/models?open=new', 'custom prompt')
  if (!can(viewer, 'manage-organization')) return [chat, document, workflow, collection, model, key]
  return [
    chat,
    document,
    workflow,
    collection,
    { ...make('Invite people', '/organization/members?invite=1', 'member colleague team'), icon: UserPlus },
    make('New group', '/organization/groups?open=new'),
    make('New department', '/organization/departments?open=new'),
    model,
    key,
  ]
}

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
      label: 'Sign-in and security',
      icon: ShieldCheck,
      also: 'password passkey authenticator second factor code otp',
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
    { group: 'Account', label: 'Memory', icon: Brain, also: 'remember facts', run: () => go('/account/memory') },
    { group: 'Account', label: 'My models', icon: Bot, also: 'custom prompt', run: () => go('/account/models') },
    { group: 'Account', label: 'Usage', icon: ChartColumn, also: 'tokens limits', run: () => go('/account/usage') },
  ]
}

const themeCommands: Command[] = themes.map(({ value, label, icon }) => ({
  group: 'Theme',
  label: `Theme: ${label.toLowerCase()}`,
  icon,
  also: 'appearance mode',
  run: () => chooseTheme(value),
}))
