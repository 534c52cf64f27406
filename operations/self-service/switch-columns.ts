/** The switches of a session or of a profile, as their tables have them. */

export const switchColumns = `show_navigation_bar,
  show_statements, show_payments,
  allow_payments, allow_profile_edit,
  edit_order_options, pdf_mode`;
