/**
 * A six-digit code. One real input, so paste, autofill and screen readers work; six lines are drawn behind it, aligned
 * by a monospaced font: 6 × 2.2ch with 5 gaps of 1ch.
 */
import type { ChangeEvent } from 'react'
import { useFieldControl } from './field.tsx'

const length = 6

interface OtpInputProps {
  value: string
  onChange: (digits: string) => void
  onComplete: (digits: string) => void
}

export function OtpInput({ value, onChange, onComplete }: OtpInputProps) {
  const onInput = (event: ChangeEvent<HTMLInputElement>) => {
    const digits = event.target.value.replace(/\D/g, '').slice(0, length)
    onChange(digits)
    if (digits.length === length && digits !== value) onComplete(digits)
  }
  return (
    <input
      {...useFieldControl()}
      value={value}
      onChange={onInput}
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]*"
      spellCheck={false}
      // biome-ignore lint/a11y/noAutofocus: the code is the only input of this step
      autoFocus
      className="h-14 w-[20ch] max-w-full bg-[repeating-linear-gradient(90deg,var(--rule)_0_2.2ch,transparent_2.2ch_3.2ch)] bg-[length:18.2ch_2px] bg-left-bottom bg-no-repeat pl-[0.6ch] font-mono text-xl tracking-[2.2ch] outline-none transition-[background-color] focus:bg-[repeating-linear-gradient(90deg,var(--ink)_0_2.2ch,transparent_2.2ch_3.2ch)]"
    />
  )
}
