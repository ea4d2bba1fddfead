/** A menu button. */
import { ChevronRight, type LucideIcon } from 'lucide-react'
import { DropdownMenu as Base } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from '#ui/class-names.ts'

interface MenuProps {
  trigger: ReactNode
  side?: 'top' | 'bottom'
  align?: 'start' | 'end'
  children: ReactNode
}

export function Menu({ trigger, side = 'bottom', align = 'end', children }: MenuProps) {
  return (
    // Not modal and not portaled: the rest of the page stays available to assistive technology.
    <Base.Root modal={false}>
      <Base.Trigger asChild>{trigger}</Base.Trigger>
      <Base.Content side={side} align={align} sideOffset={6} collisionPadding={8} className={panelLook}>
        {children}
      </Base.Content>
    </Base.Root>
  )
}

const panelLook = cx(
  'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 animate-rise overflow-y-auto',
  'rounded-panel bg-raised p-1 text-base text-ink shadow-float',
)

interface MenuItemProps {
  icon?: LucideIcon
  tone?: 'bad'
  onSelect: () => void
  children: ReactNode
}

const itemLook =
  'flex items-center gap-2.5 rounded-control px-2.5 py-1.5 outline-none select-none data-highlighted:bg-sunken'

export function MenuItem({ icon: Icon, tone, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item onSelect={onSelect} className={cx(itemLook, tone === 'bad' ? 'text-bad' : 'text-ink')}>
      {Icon && <Icon aria-hidden className="size-4 opacity-70" />}
      {children}
    </Base.Item>
  )
}

interface SubMenuProps {
  icon?: LucideIcon
  label: string
  children: ReactNode
}

/** A submenu. */
export function SubMenu({ icon: Icon, label, children }: SubMenuProps) {
  return (
    <Base.Sub>
      <Base.SubTrigger className={cx(itemLook, 'data-[state=open]:bg-sunken')}>
        {Icon && <Icon aria-hidden className="size-4 opacity-70" />}
        <span className="flex-1">{label}</span>
        <ChevronRight aria-hidden className="size-4 opacity-60" />
      </Base.SubTrigger>
      <Base.SubContent sideOffset={4} collisionPadding={8} className={cx(panelLook, 'max-w-64')}>
        {children}
      </Base.SubContent>
    </Base.Sub>
  )
}

interface MenuChoicesProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string; icon: LucideIcon }[]
  onChange: (value: Value) => void
}

export function MenuChoices<Value extends string>({ label, value, options, onChange }: MenuChoicesProps<Value>) {
  return (
    <Base.RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const chosen = options.find((option) => option.value === next)
        if (chosen) onChange(chosen.value)
      }}
    >
      {options.map(({ value: option, label: text, icon: Icon }) => (
        <Base.RadioItem key={option} value={option} className={itemLook}>
          <Icon aria-hidden className="size-4 opacity-70" />
          <span className="flex-1">{text}</span>
          <Base.ItemIndicator className="size-1.5 rounded-full bg-seal" />
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

export const MenuLine = () => <Base.Separator className="my-1 h-px bg-line" />
