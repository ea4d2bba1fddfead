/** A date and time in a filter, in local time. */

interface TimeFieldProps {
  label: string
  value: string | undefined
  onValue: (value: string | undefined) => void
}

export const TimeField = ({ label, value = '', onValue }: TimeFieldProps) => (
  <label className="flex items-center gap-1.5 text-soft text-sm">
    {label}
    <input
      type="datetime-local"
      value={value}
      onChange={({ target }) => onValue(target.value || undefined)}
      className="h-8 rounded-control border border-b-rule bg-surface px-2 text-ink"
    />
  </label>
)
