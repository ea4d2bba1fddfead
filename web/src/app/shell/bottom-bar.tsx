/** The navigation of a phone: four links and the rest behind "More". */
import { Link } from '@tanstack/react-router'
import { LogOut, type LucideIcon, Menu as MenuIcon, Search, Settings } from 'lucide-react'
import { useState } from 'react'
import { useViewer } from '#data/viewer.ts'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { ThemeButton } from '../theme-button.tsx'
import { areasOf } from './areas.ts'
import { homeOf, managementOf } from './navigation.ts'
import { useSignOut } from './use-sign-out.ts'

const shown = 4
const slot =
  'flex flex-1 flex-col items-center gap-1 pt-2 pb-1.5 text-soft text-xs aria-[current=page]:font-medium aria-[current=page]:text-seal-text'

export function BottomBar({ onSearch }: { onSearch: () => void }) {
  const viewer = useViewer()
  const [isOpen, setOpen] = useState(false)
  const home = homeOf(viewer) ?? managementOf(viewer)[0]
  const items = [...(home ? [home] : []), ...areasOf(viewer)]
  const rest = [...items.slice(shown), ...managementOf(viewer).filter((item) => item !== home)]
  return (
    <nav
      aria-label="Areas"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      {items.slice(0, shown).map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} className={slot}>
          <Icon aria-hidden className="size-5" strokeWidth={1.75} />
          {label}
        </Link>
      ))}
      <button type="button" className={slot} onClick={() => setOpen(true)}>
        <MenuIcon aria-hidden className="size-5" strokeWidth={1.75} />
        More
      </button>
      <Dialog title={viewer.name} hint={viewer.email} isOpen={isOpen} onClose={() => setOpen(false)}>
        <More items={rest} onSearch={onSearch} onLeave={() => setOpen(false)} />
      </Dialog>
    </nav>
  )
}

const row = 'flex h-12 w-full items-center gap-3 border-b text-left last:border-b-0'

interface MoreProps {
  items: { to: string; label: string; icon: LucideIcon }[]
  onSearch: () => void
  onLeave: () => void
}

function More({ items, onSearch, onLeave }: MoreProps) {
  const signOut = useSignOut()
  const search = () => {
    onLeave()
    onSearch()
  }
  const links = [...items, { to: '/account', label: 'Account settings', icon: Settings }]
  return (
    <div className="-my-2">
      <button type="button" className={row} onClick={search}>
        <Search aria-hidden className="size-5 text-soft" strokeWidth={1.75} /> Search and commands
      </button>
      {links.map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} className={row} onClick={onLeave}>
          <Icon aria-hidden className="size-5 text-soft" strokeWidth={1.75} /> {label}
        </Link>
      ))}
      <div className={`${row} justify-between`}>
        Theme
        <ThemeButton />
      </div>
      <button type="button" className={row} onClick={signOut}>
        <LogOut aria-hidden className="size-5 text-soft" strokeWidth={1.75} /> Sign out
      </button>
    </div>
  )
}
