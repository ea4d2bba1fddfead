/** Page layout: header, panel, details, and link tabs. */
import { Link, type LinkProps, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '#ui/class-names.ts'

type Address = NonNullable<LinkProps['to']>

interface PageHeaderProps {
  title: string
  hint?: ReactNode
  /** The page's primary action. */
  action?: ReactNode
}

export function PageHeader({ title, hint, action }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0">
        <h1 className="text-balance font-medium font-serif text-xl tracking-tight">{title}</h1>
        {hint !== undefined && <p className="mt-1 max-w-prose text-soft">{hint}</p>}
      </div>
      {action}
    </header>
  )
}

interface PanelProps {
  title: string
  hint?: ReactNode
  action?: ReactNode
  /** For a table, which has its own edges. */
  isFlush?: boolean
  className?: string | undefined
  children: ReactNode
}

export function Panel({ title, hint, action, isFlush = false, className, children }: PanelProps) {
  return (
    <section aria-label={title} className={cx('min-w-0 rounded-panel border bg-surface', className)}>
      <header className="flex flex-wrap items-start justify-between gap-3 px-5 pt-4">
        <div>
          <h2 className="font-medium text-md">{title}</h2>
          {hint !== undefined && <p className="mt-0.5 max-w-prose text-faint text-sm">{hint}</p>}
        </div>
        {action}
      </header>
      <div className={isFlush ? 'pt-3' : 'px-5 pt-4 pb-5'}>{children}</div>
    </section>
  )
}

interface Fact {
  term: string
  /** The page that changes the fact. */
  to?: Address
  value: ReactNode
}

export function Facts({ items }: { items: readonly Fact[] }) {
  return (
    <dl className="divide-y divide-line">
      {items.map(({ term, to, value }) => (
        <div key={term} className="flex items-center justify-between gap-6 py-2.5 first:pt-0 last:pb-0">
          <dt className="text-soft">{to === undefined ? term : <FactLink to={to}>{term}</FactLink>}</dt>
          <dd className="min-w-0 text-right">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const FactLink = ({ to, children }: { to: Address; children: string }) => (
  <Link to={to} className="text-ink underline decoration-rule underline-offset-4 hover:decoration-seal">
    {children}
  </Link>
)

interface Tab {
  label: string
  to: Address
  isExact?: boolean
  /** Number of items that wait there for the viewer. */
  count?: number | undefined
}

/** More than these stand closer together, so that a desktop shows them all. */
const manyTabs = 12
const closeTogether = 'gap-4 xl:max-2xl:gap-3 xl:max-2xl:text-sm'

export function TabLinks({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const elementRef = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.location.pathname })
  // On a phone the tabs are wider than the screen: the current one is scrolled into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab changes with the path
  useEffect(() => {
    const current = elementRef.current?.querySelector('a[aria-current="page"]')
    current?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [path])
  return (
    <nav
      ref={elementRef}
      aria-label={label}
      className="relative -mx-4 overflow-x-auto px-4 [scrollbar-width:none] sm:mx-0 sm:px-0"
    >
      <ul className={cx('flex min-w-max border-b sm:max-xl:gap-3', tabs.length > manyTabs ? closeTogether : 'gap-6')}>
        {tabs.map((tab) => (
          <li key={tab.to}>
            <Link
              to={tab.to}
              activeOptions={{ exact: tab.isExact ?? false, includeSearch: false }}
              className="-mb-px block border-transparent border-b-2 py-2.5 text-soft transition-colors duration-150 hover:text-ink aria-[current=page]:border-seal aria-[current=page]:text-ink"
            >
              {tab.label}
              {tab.count !== undefined && tab.count > 0 && (
                <span className="figures ml-1.5 rounded-full bg-seal px-1.5 py-px font-medium text-on-seal text-xs">
                  {tab.count > 99 ? '99+' : tab.count}
                  <span className="sr-only"> waiting</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
