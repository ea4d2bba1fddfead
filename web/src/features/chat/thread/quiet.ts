/** Buttons that keep to themselves until the pointer or the focus comes near. A finger has no hover, so there they stay. */
export const quiet =
  'flex items-center gap-0.5 transition-opacity duration-150 [@media(hover:hover)]:opacity-0 group-hover:opacity-100 group-focus-within:opacity-100'
