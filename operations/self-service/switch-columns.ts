/** The switches of a session or of a profile, as their tables have them. */

export const switchColumns = `show_navigation_bar as "showNavigationBar",
  show_statements as "showStatements", show_payments as "showPayments",
  allow_payments as "allowPayments", allow_profile_edit as "allowProfileEdit",
  edit_order_options as "editOrderOptions", pdf_mode as "pdfMode"`;
