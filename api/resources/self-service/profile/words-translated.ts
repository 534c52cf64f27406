/** The words of the profile of hosted self-service, in German, French and Spanish. */
import type { ProfileWords } from './words-english.ts';

export const german: ProfileWords = {
  title: 'Ihr Profil',
  contactGroup: 'Kontakt',
  addressGroup: 'Adresse',
  passwordGroup: 'Passwort',
  passwordNote:
    'Ihr jetziges Passwort ist für eine andere E-Mail-Adresse oder ein neues Passwort nötig. Ein ' +
    'neues Passwort beendet Ihre anderen Sitzungen.',
  username: 'Benutzername',
  companyName: 'Firma',
  firstName: 'Vorname',
  lastName: 'Nachname',
  email: 'E-Mail',
  phone: 'Telefon',
  street1: 'Straße',
  street2: 'Adresszusatz',
  city: 'Ort',
  state: 'Bundesland',
  zip: 'Postleitzahl',
  country: 'Land',
  oldPassword: 'Jetziges Passwort',
  newPassword: 'Neues Passwort',
  newPasswordHint: 'Mindestens 8 Zeichen, mit Groß- und Kleinbuchstaben und einer Ziffer',
  save: 'Speichern',
  saved: 'Ihre Änderungen sind gespeichert.',
  unchanged: 'Es wurde nichts geändert.',
};

export const french: ProfileWords = {
  title: 'Votre profil',
  contactGroup: 'Contact',
  addressGroup: 'Adresse',
  passwordGroup: 'Mot de passe',
  passwordNote:
    'Votre mot de passe actuel est nécessaire pour changer d’adresse e-mail ou de mot de passe. Un ' +
    'nouveau mot de passe met fin à vos autres sessions.',
  username: 'Nom d’utilisateur',
  companyName: 'Société',
  firstName: 'Prénom',
  lastName: 'Nom',
  email: 'E-mail',
  phone: 'Téléphone',
  street1: 'Rue',
  street2: 'Complément d’adresse',
  city: 'Ville',
  state: 'État ou région',
  zip: 'Code postal',
  country: 'Pays',
  oldPassword: 'Mot de passe actuel',
  newPassword: 'Nouveau mot de passe',
  newPasswordHint: 'Au moins 8 caractères, avec des majuscules, des minuscules et un chiffre',
  save: 'Enregistrer',
  saved: 'Vos modifications sont enregistrées.',
  unchanged: 'Rien n’a été modifié.',
};

export const spanish: ProfileWords = {
  title: 'Su perfil',
  contactGroup: 'Contacto',
  addressGroup: 'Dirección',
  passwordGroup: 'Contraseña',
  passwordNote:
    'Su contraseña actual es necesaria para cambiar el correo electrónico o la contraseña. Una ' +
    'contraseña nueva cierra sus otras sesiones.',
  username: 'Nombre de usuario',
  companyName: 'Empresa',
  firstName: 'Nombre',
  lastName: 'Apellidos',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  street1: 'Calle',
  street2: 'Complemento de dirección',
  city: 'Ciudad',
  state: 'Provincia o estado',
  zip: 'Código postal',
  country: 'País',
  oldPassword: 'Contraseña actual',
  newPassword: 'Contraseña nueva',
  newPasswordHint: 'Al menos 8 caracteres, con mayúsculas, minúsculas y una cifra',
  save: 'Guardar',
  saved: 'Sus cambios se han guardado.',
  unchanged: 'No se ha cambiado nada.',
};
