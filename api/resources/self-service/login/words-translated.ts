/** The words of the pages that customers log in by, in German, French and Spanish. */
import type { LoginWords } from './words-english.ts';

export const german: LoginWords = {
  login: 'Anmelden',
  username: 'Benutzername',
  password: 'Passwort',
  submitLogin: 'Anmelden',
  forgotten: 'Passwort vergessen?',
  wasReset: 'Ihr Passwort wurde geändert. Bitte melden Sie sich mit dem neuen an.',
  ask: 'Passwort vergessen?',
  askLead:
    'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein. Wir schicken Ihnen einen Link, ' +
    'mit dem Sie ein neues Passwort wählen.',
  name: 'Benutzername oder E-Mail-Adresse',
  submitAsk: 'Link senden',
  askedTitle: 'Bitte sehen Sie in Ihr Postfach',
  asked:
    'Wenn wir ein Konto mit diesem Namen oder dieser Adresse kennen, ist eine E-Mail unterwegs. ' +
    'Der Link darin gilt 30 Minuten.',
  askedAgain: 'Keine E-Mail? Sehen Sie im Spam-Ordner nach, oder fragen Sie später noch einmal an.',
  guarded:
    'Für diesen Benutzernamen wurden zu viele falsche Passwörter eingegeben. Um sich von hier ' +
    'anzumelden, wählen Sie bitte ein neues Passwort über einen Link, den wir per E-Mail senden.',
  back: 'Zurück zur Anmeldung',
  choose: 'Neues Passwort wählen',
  chooseFor: 'Für den Benutzernamen {username}',
  newPassword: 'Neues Passwort',
  newPasswordHint: 'Mindestens 8 Zeichen, mit Groß- und Kleinbuchstaben und einer Ziffer',
  chooseNote: 'Überall, wo Sie angemeldet sind, müssen Sie sich neu anmelden.',
  submitChoose: 'Passwort speichern',
};

export const french: LoginWords = {
  login: 'Connexion',
  username: 'Nom d’utilisateur',
  password: 'Mot de passe',
  submitLogin: 'Se connecter',
  forgotten: 'Mot de passe oublié\u00a0?',
  wasReset: 'Votre mot de passe a été modifié. Connectez-vous avec le nouveau.',
  ask: 'Mot de passe oublié\u00a0?',
  askLead:
    'Indiquez votre nom d’utilisateur ou votre adresse e-mail. Nous vous enverrons un lien pour ' +
    'choisir un nouveau mot de passe.',
  name: 'Nom d’utilisateur ou adresse e-mail',
  submitAsk: 'Envoyer le lien',
  askedTitle: 'Consultez votre messagerie',
  asked:
    'Si nous connaissons un compte à ce nom ou à cette adresse, un e-mail est en route. Son lien ' +
    'est valable 30 minutes.',
  askedAgain:
    'Pas d’e-mail\u00a0? Regardez dans vos courriers indésirables, ou réessayez plus tard.',
  guarded:
    'Trop de mots de passe erronés ont été saisis pour ce nom d’utilisateur. Pour vous connecter ' +
    'd’ici, choisissez un nouveau mot de passe par un lien que nous envoyons par e-mail.',
  back: 'Retour à la connexion',
  choose: 'Choisir un nouveau mot de passe',
  chooseFor: 'Pour le nom d’utilisateur {username}',
  newPassword: 'Nouveau mot de passe',
  newPasswordHint: 'Au moins 8 caractères, avec des majuscules, des minuscules et un chiffre',
  chooseNote: 'Partout où vous êtes connecté, vous devrez vous reconnecter.',
  submitChoose: 'Enregistrer le mot de passe',
};

export const spanish: LoginWords = {
  login: 'Iniciar sesión',
  username: 'Nombre de usuario',
  password: 'Contraseña',
  submitLogin: 'Iniciar sesión',
  forgotten: '¿Ha olvidado su contraseña?',
  wasReset: 'Su contraseña ha cambiado. Inicie sesión con la nueva.',
  ask: '¿Ha olvidado su contraseña?',
  askLead:
    'Introduzca su nombre de usuario o su correo electrónico. Le enviaremos un enlace para elegir ' +
    'una contraseña nueva.',
  name: 'Nombre de usuario o correo electrónico',
  submitAsk: 'Enviar el enlace',
  askedTitle: 'Consulte su correo',
  asked:
    'Si conocemos una cuenta con ese nombre o esa dirección, un correo está en camino. Su enlace ' +
    'es válido durante 30 minutos.',
  askedAgain: '¿No ha llegado? Mire en la carpeta de correo no deseado o solicítelo más tarde.',
  guarded:
    'Se han introducido demasiadas contraseñas erróneas para este nombre de usuario. Para iniciar ' +
    'sesión desde aquí, elija una contraseña nueva mediante un enlace que enviamos por correo.',
  back: 'Volver al inicio de sesión',
  choose: 'Elegir una contraseña nueva',
  chooseFor: 'Para el nombre de usuario {username}',
  newPassword: 'Contraseña nueva',
  newPasswordHint: 'Al menos 8 caracteres, con mayúsculas, minúsculas y una cifra',
  chooseNote: 'Tendrá que volver a iniciar sesión en todos sus dispositivos.',
  submitChoose: 'Guardar la contraseña',
};
