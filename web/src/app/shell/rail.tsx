/**
 * The navigation rail: areas, organization or console, account. Collapses to icons; phones have the bottom bar instead.
 */
import { Link } from '@tanstack/react-router'
import { type LucideIcon, PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react'
import { useState } from 'react'
import { useViewer } from '#data/viewer.ts'
import { useInboxCount } from '#features/signing/inbox/api.ts'
import { useOpenApprovalCount } from '#features/workflows/answers/api.ts'
import { readStored, store } from '#lib/browser/browser-storage.ts'
import { Seal, Wordmark } from '#ui/brand/seal.tsx'
import { IconButton } from '#ui/button/button.tsx'
import { Kbd } from '#ui/button/kbd.tsx'
import { cx } from '#ui/class-names.ts'
import { AccountMenu } from './account-menu.tsx'
import { areasOf } from './areas.ts'
import { homeOf, managementOf } from './navigation.ts'

export function Rail({ onSearch, onKeys }: { onSearch: () => void; onKeys: () => void }) {
  const viewer = useViewer()
  const [isNarrow, setNarrow] = useState(() => readStored('rail') === 'narrow')
  const toggle = () => {
    store('rail', isNarrow ? 'wide' : 'narrow')
    setNarrow(!isNarrow)
  }
  const home = homeOf(viewer)
  const management = managementOf(viewer)
  return (
    <aside
      className={cx(
        'sticky top-0 z-20 hidden h-dvh shrink-0 flex-col border-r bg-desk sm:flex',
        isNarrow ? 'w-15' : 'w-15 roomy:w-60',
      )}
    >
      <RailHead isNarrow={isNarrow} onToggle={toggle} />
      <nav aria-label="Areas" className="flex flex-1 flex-col gap-6 overflow-y-auto px-3 pt-4 pb-4">
        <SearchButton isNarrow={isNarrow} onSearch={onSearch} />
        <ul className="flex flex-col gap-0.5">
          {home && <RailLink {...home} isNarrow={isNarrow} />}
          {areasOf(viewer).map((area) => {
            const AreaLink = linksThatCount[area.to] ?? RailLink
            return <AreaLink key={area.to} {...area} isNarrow={isNarrow} />
          })}
        </ul>
        {management.length > 0 && (
          <ul className="mt-auto flex flex-col gap-0.5">
            {management.map((item) => (
              <RailLink key={item.to} {...item} isNarrow={isNarrow} />
            ))}
          </ul>
        )}
      </nav>
      <div className="border-t p-2">
        <AccountMenu isNarrow={isNarrow} onKeys={onKeys} />
      </div>
    </aside>
  )
}

function RailHead({ isNarrow, onToggle }: { isNarrow: boolean; onToggle: () => void }) {
  const toggle = (
    <IconButton
      label={isNarrow ? 'Expand navigation' : 'Collapse navigation'}
      icon={isNarrow ? PanelLeftOpen : PanelLeftClose}
      className="max-roomy:hidden"
      onClick={onToggle}
    />
  )
  return (
    <div
      className={cx(
        'flex items-center px-3 pt-3.5',
        isNarrow ? 'flex-col gap-2' : 'justify-center roomy:justify-between roomy:pl-4',
      )}
    >
      <Link to="/" aria-label="Chancery, Home" className="rounded-control">
        <Seal className={cx('size-8', !isNarrow && 'roomy:hidden')} />
        {!isNarrow && <Wordmark className="max-roomy:hidden" />}
      </Link>
      {toggle}
    </div>
  )
}

function SearchButton({ isNarrow, onSearch }: { isNarrow: boolean; onSearch: () => void }) {
  return (
    <button
      type="button"
      onClick={onSearch}
      className="flex h-9 items-center gap-2.5 rounded-control border bg-surface px-2.5 text-faint transition-colors duration-150 hover:text-ink"
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span className={cx('flex-1 text-left max-roomy:sr-only', isNarrow && 'sr-only')}>
        Search<span className="sr-only"> and commands</span>
      </span>
      <span className={cx('max-roomy:hidden', isNarrow && 'hidden')}>
        <Kbd keys="mod+k" />
      </span>
    </button>
  )
}

interface RailLinkProps {
  to: string
  label: string
  icon: LucideIcon
  isNarrow: boolean
  /** Number of items that wait there for the viewer. */
  waiting?: number | undefined
}

const WorkflowsLink = (props: RailLinkProps) => <RailLink {...props} waiting={useOpenApprovalCount()} />
const DocumentsLink = (props: RailLinkProps) => <RailLink {...props} waiting={useInboxCount()} />

/** Areas where something can wait for the viewer. */
const linksThatCount: Record<string, typeof WorkflowsLink> = {
  '/workflows': WorkflowsLink,
  '/documents': DocumentsLink,
}

function RailLink({ to, label, icon: Icon, isNarrow, waiting = 0 }: RailLinkProps) {
  return (
    <li>
      <Link
        to={to}
        title={isNarrow ? label : undefined}
        className={cx(
          'relative flex h-9 items-center gap-3 rounded-control px-2.5 text-soft transition-colors duration-150',
          'hover:bg-sunken hover:text-ink',
          'aria-[current=page]:bg-surface aria-[current=page]:font-medium aria-[current=page]:text-ink',
          'aria-[current=page]:shadow-[0_0_0_1px_var(--line)]',
          'before:absolute before:inset-y-2 before:-left-3 before:w-0.75 before:rounded-r-full aria-[current=page]:before:bg-seal',
        )}
      >
        <Icon aria-hidden className="size-4.5 shrink-0" strokeWidth={1.75} />
        <span className={cx('flex-1 max-roomy:sr-only', isNarrow && 'sr-only')}>{label}</span>
        {waiting > 0 && (
          <span
            className={cx(
              'figures rounded-full bg-seal-wash px-1.5 text-seal-text text-xs leading-5',
              // In the corner, so that the icon stays visible.
              'max-roomy:-top-1 max-roomy:-right-2 max-roomy:absolute max-roomy:px-1 max-roomy:text-[0.6875rem] max-roomy:leading-4',
              isNarrow && '-top-1 -right-2 absolute px-1 text-[0.6875rem] leading-4',
            )}
          >
            {waiting > 99 ? '99+' : waiting}
            <span className="sr-only"> waiting for you</span>
          </span>
        )}
      </Link>
    </li>
  )
}
