/** Text, password, multi-line and select inputs. */
import { ChevronDown, Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { cx } from '#ui/class-names.ts'
import { useFieldControl } from './field.tsx'

export const inputLook = cx(
  // The label above stays visible when a focused field is scrolled into view.
  'w-full scroll-mt-10 rounded-control border border-b-rule bg-surface px-3 text-ink text-md sm:text-base',
  'transition-[border-color,box-shadow] duration-150 hover:border-rule',
  'focus:border-ink focus:outline-none focus:ring-2 focus:ring-ink/15',
  'aria-invalid:border-bad aria-invalid:ring-bad/20',
  '[&[readonly]]:bg-sunken disabled:opacity-60',
)

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...useFieldControl()} {...rest} className={cx(inputLook, 'h-10', className)} />
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={3} {...useFieldControl()} {...rest} className={cx(inputLook, 'py-2', className)} />
}

/** `isHidden` keeps the input in the DOM, where a password manager finds it, before the form shows it. */
export function PasswordInput({ isHidden = false, ...rest }: ComponentProps<'input'> & { isHidden?: boolean }) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  const label = isShown ? 'Hide password' : 'Show password'
  return (
    <div className="relative">
      <input
        {...useFieldControl()}
        {...rest}
        type={isShown ? 'text' : 'password'}
        tabIndex={isHidden ? -1 : undefined}
        spellCheck={false}
        autoCapitalize="none"
        className={cx(inputLook, 'h-10 pr-11', isShown && 'font-mono')}
      />
      {!isHidden && (
        <button
          type="button"
          aria-label={label}
          title={label}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-1 right-1 flex w-9 items-center justify-center rounded-control text-faint hover:text-ink"
        >
          <Icon aria-hidden className="size-4" />
        </button>
      )}
    </div>
  )
}

export const Select = (props: ComponentProps<'select'>) => <BareSelect {...useFieldControl()} {...props} />

/** A select outside of a Field, with its own `aria-label`. */
export function BareSelect({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <div className="relative">
      <select {...rest} className={cx(inputLook, 'h-10 appearance-none pr-9', className)}>
        {children}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-faint" />
    </div>
  )
}
