/** The layout after sign-in: rail, page, palette and shortcuts. */
import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useViewer, ViewerContext, viewerQuery } from '#data/viewer.ts'
import { ActivityTray } from '#features/activity/activity-tray.tsx'
import { type Shortcut, useShortcuts } from '#lib/keyboard/keyboard.ts'
import { forgetTab } from '#lib/tab/forget-tab.ts'
import { cx } from '#ui/class-names.ts'
import { BottomBar } from './bottom-bar.tsx'
import { useCommands } from './commands.ts'
import { Questions } from './questions.tsx'
import { Rail } from './rail.tsx'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }))

export function Shell() {
  const { data: viewer } = useQuery(viewerQuery)
  const router = useRouter()
  const isGone = viewer === null
  const first = useRef(viewer?.id)
  useEffect(() => {
    first.current ??= viewer?.id
    const isOther = viewer != null && viewer.id !== first.current
    if (isGone || isOther) forgetTab()
    // Signed out in another window: the route guard redirects.
    if (isGone) void router.invalidate()
    // Signed in as someone else there: nothing on this page is theirs.
    if (isOther) location.reload()
  }, [isGone, viewer, router])

  if (!viewer) return null
  return (
    <ViewerContext value={viewer}>
      <Rooms />
    </ViewerContext>
  )
}

function Rooms() {
  const [open, setOpen] = useState<'palette' | 'keys'>()
  const close = useCallback(() => setOpen(undefined), [])
  const showPalette = useCallback(() => setOpen('palette'), [])
  const showKeys = useCallback(() => setOpen('keys'), [])
  const commands = useCommands(showKeys)
  const shortcuts = useMemo(
    (): Shortcut[] => [
      { keys: 'mod+k', label: 'Open command palette', run: showPalette },
      ...commands.flatMap(({ keys, label, run }) => (keys === undefined ? [] : [{ keys, label, run }])),
    ],
    [commands, showPalette],
  )
  useShortcuts(shortcuts)

  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="sr-only rounded-control bg-raised px-3 py-2 shadow-float focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to content
      </a>
      <Rail onSearch={showPalette} onKeys={showKeys} />
      <Page />
      <BottomBar onSearch={showPalette} />
      <Tray />
      <Questions />
      <Suspense>
        {open === 'palette' && <Palette commands={commands} onClose={close} />}
        {open === 'keys' && <KeysDialog onClose={close} />}
      </Suspense>
    </div>
  )
}

/** In a chat above the composer, whose button it would cover on a narrower screen; on a phone above the bottom bar. */
function Tray() {
  const isChat = useRouterState({ select: ({ location }) => location.pathname.startsWith('/chat') })
  return (
    <div className={cx('fixed right-4 z-30', isChat ? 'bottom-44 2xl:bottom-4' : 'bottom-20 sm:bottom-4')}>
      <ActivityTray isOn={useViewer().kind === 'person'} />
    </div>
  )
}

/** The page. It takes the focus when the route changes, as a new document would. */
function Page() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const elementRef = useRef<HTMLElement>(null)
  const seen = useRef(path)
  useEffect(() => {
    if (seen.current === path) return
    seen.current = path
    elementRef.current?.focus({ preventScroll: true })
  }, [path])
  return (
    <main ref={elementRef} id="main" tabIndex={-1} className="min-w-0 flex-1 pb-20 outline-none sm:pb-0">
      <Outlet />
    </main>
  )
}
